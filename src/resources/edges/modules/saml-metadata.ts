/** The least that a provider says of itself. */
export const METADATA_EXAMPLE =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example.com"/>'

/** What is not an element: the declaration, comments, instructions and text. A DOCTYPE is none of these. */
const BETWEEN = /(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|[^<]+)/y
const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y

/** Why a text is not what a SAML provider says of itself. Nothing is read of it but its form. */
export function whyNotMetadata(xml: string): string | undefined {
  const open: string[] = []
  let roots = 0
  for (let at = 0; at < xml.length; ) {
    const between = matchAt(BETWEEN, xml, at)
    if (between) {
      at += between[0].length
      continue
    }
    const tag = matchAt(TAG, xml, at)
    if (!tag) return `at character ${at + 1} there is neither a tag nor text`
    const [text, closing, name, attributes, alone] = tag as unknown as [string, string, string, string, string]
    if (closing && open.pop() !== name) return `</${name}> closes nothing`
    if (!closing && open.length === 0) {
      if (++roots > 1) return 'it has two roots'
      if (!/(^|:)EntityDescriptor$/.test(name)) return `the root is ${name}`
      if (!/\sentityID\s*=/.test(attributes)) return 'it has no entityID'
    }
    if (!closing && !alone) open.push(name)
    at += text.length
  }
  if (open.length > 0) return `<${open.at(-1)}> is not closed`
  return roots === 0 ? 'it has no element' : undefined
}

function matchAt(form: RegExp, text: string, at: number) {
  form.lastIndex = at
  return form.exec(text)
}
