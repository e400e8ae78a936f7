/** The host that tests stand in for. */
export const HOST = 'api.ngrok.com'

/** What each request needs. Every client has a sandbox of its own, so that the journal tells their requests apart. */
export const headersFor = sandbox => ({
  authorization: `Bearer ${process.env.EDGESIM_TOKEN}~${sandbox}`,
  'ngrok-version': '2',
})

/** Reads all keys, a page at a time, as an API client does: from the vendor's address, then wherever the answer says. */
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
