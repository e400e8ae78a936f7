const URL_TEXT = /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/?#]*)@)?([^/?#]*)([^?#]*)([?#].*)?$/is

/** Splits a URL, or an address without a scheme. */
export function splitUrl(text: string) {
  const [, scheme = '', login = '', host = '', path = '', rest = ''] = URL_TEXT.exec(text) ?? []
  return { scheme, login, host, path, rest }
}

/** The URL without user name and password, and unless `keepRest`, without query and fragment. */
export function bareUrl(text: string, keepRest: boolean): string {
  const { scheme, host, path, rest } = splitUrl(text)
  return `${scheme}${host}${path}${keepRest ? rest : ''}`
}
