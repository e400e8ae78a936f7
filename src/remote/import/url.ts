const URL_TEXT = /^([a-z][a-z0-9+.-]*:\/\/)?(?:([^/?#]*)@)?([^/?#]*)([^?#]*)([?#].*)?$/is

/** A URL, or the address in front of one, in its parts; some records have addresses without a scheme. */
export function splitUrl(text: string) {
  const [, scheme = '', login = '', host = '', path = '', rest = ''] = URL_TEXT.exec(text) ?? []
  return { scheme, login, host, path, rest }
}

/** The URL without user name and password, and unless these are kept, without query and fragment. */
export function bareUrl(text: string, keepRest: boolean): string {
  const { scheme, host, path, rest } = splitUrl(text)
  return `${scheme}${host}${path}${keepRest ? rest : ''}`
}
