/** Minimal valid metadata. */
export const METADATA_EXAMPLE =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example.com"/>'

/** The XML declaration, comments, instructions and text, but no DOCTYPE. */
const BETWEEN = /(?:<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|[^<]+)/y
const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y

/** The first problem in a provider's metadata. Only the XML structure is checked. */
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
    if (!tag) return `expected a tag or text at character ${at + 1}`
    const [text, closing, name, attributes, alone] = tag as unknown as [string, string, string, string, string]
    if (closing && open.pop() !== name) return `</${name}> closes nothing`
    if (!closing && open.length === 0) {
      if (++roots > 1) return 'two root elements'
      if (!/(^|:)EntityDescriptor$/.test(name)) return `the root is ${name}`
      if (!/\sentityID\s*=/.test(attributes)) return 'no entityID'
    }
    if (!closing && !alone) open.push(name)
    at += text.length
  }
  if (open.length > 0) return `<${open.at(-1)}> is not closed`
  return roots === 0 ? 'no element' : undefined
}

function matchAt(form: RegExp, text: string, at: number) {
  form.lastIndex = at
  return form.exec(text)
}
