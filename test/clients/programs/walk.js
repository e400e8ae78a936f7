/** The redirected host. */
export const HOST = 'api.ngrok.com'

/** Request headers. Every client has its own sandbox, which separates their journals. */
export const headersFor = sandbox => ({
  authorization: `Bearer ${process.env.EDGESIM_TOKEN}~${sandbox}`,
  'ngrok-version': '2',
})

/** Reads all keys page by page, from the vendor's URL and then from next_page_uri. */
export async function walk(sandbox, get, scheme = 'https') {
  const [ids, uris] = [[], []]
  for (let next = `${scheme}://${HOST}/api_keys?limit=1`; next; ) {
    const page = await get(next, headersFor(sandbox))
    if (!page.keys) throw new Error(`${next} was answered with ${JSON.stringify(page)}`)
    for (const { id, uri } of page.keys) {
      ids.push(id)
      uris.push(uri)
    }
    next = page.next_page_uri
    if (next) uris.push(next)
  }
  return { ids, uris }
}

export const getWithFetch = async (url, headers) => (await fetch(url, { headers })).json()
