/** The value of each series, by name and labels. */
export type Series = Map<string, number>

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABELS = String.raw`\{\w+="(?:[^"\\\n]|\\["\\n])*"(?:,\w+="(?:[^"\\\n]|\\["\\n])*")*\}`
const HELP = new RegExp(`^# HELP (${NAME}) \\S.*$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)
const SAMPLE = new RegExp(`^((${NAME})(?:${LABELS})?) ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?))$`)

/** Parses the text format. Throws on unexpected lines. */
export function parseMetrics(text: string): Series {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const series: Series = new Map()
  const seen = new Set<string>()
  let family = ''
  let type = ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, helped] = HELP.exec(line) ?? []
    const [, typed, kind] = TYPE.exec(line) ?? []
    const [, name, of, value] = SAMPLE.exec(line) ?? []
    if (helped && !seen.has(helped)) {
      seen.add(helped)
      family = helped
      type = ''
    } else if (typed && typed === family && type === '') type = kind!
    else if (name && type && belongs(of!, family, type) && !series.has(name)) series.set(name, Number(value))
    else throw new Error(`not a line of metrics, or not in its place: ${line}`)
  }
  return series
}

const belongs = (name: string, family: string, type: string) =>
  type === 'histogram' ? ['_bucket', '_sum', '_count'].some(end => name === family + end) : name === family

export async function scrape(url: string, headers: Record<string, string> = {}): Promise<Series> {
  const response = await fetch(`${url}/_sim/metrics`, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return parseMetrics(text)
}

/** The series of one name, by labels. */
export const family = (series: Series, name: string): Record<string, number> =>
  Object.fromEntries(
    [...series].filter(([key]) => key.startsWith(`${name}{`)).map(([key, value]) => [key.slice(name.length), value]),
  )

/** The counted requests, by `operation status`. */
export const requestsOf = (series: Series): Record<string, number> =>
  Object.fromEntries(
    Object.entries(family(series, 'edgesim_requests_total')).map(([labels, count]) => [
      labels.replace(/^\{operation="(\w+)",status="(\w+)"\}$/, '$1 $2'),
      count,
    ]),
  )

/** The number of times that each kind of rule fired, if any. */
export const firedOf = (series: Series): Record<string, number> =>
  Object.fromEntries(
    Object.entries(family(series, 'edgesim_rules_fired_total'))
      .filter(([, count]) => count > 0)
      .map(([labels, count]) => [labels.slice('{fault="'.length, -2), count]),
  )
