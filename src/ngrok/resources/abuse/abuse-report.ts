import {
  choice,
  collection,
  derived,
  type Given,
  groups,
  listOf,
  type Shape,
  textShape,
  toProblems,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { text } from '../texts.ts'

/** The host and port of a URL, unchanged. */
const hostOf = (url: string) => /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#\\]+)/i.exec(url)?.[1]

const url = textShape({ examples: ['https://login.example.com/'] }, given =>
  URL.canParse(given) && hostOf(given) ? undefined : { expected: 'a URL with a host, like https://login.example.com/' },
)

const list = listOf(url)
const urls: Shape<string[]> = {
  find: given =>
    Array.isArray(given) && given.length === 0
      ? toProblems(given, { expected: 'a list of at least one URL' })
      : list.find(given),
  json: { ...list.json, minItems: 1, examples: [url.json.examples] },
}

const hostname = {
  hostname: value(textShape(), {
    required: errors.invalid_value,
    content: 'host',
    describe: 'Host and port, as in the URL',
  }),
  status: choice(['PENDING', 'BANNED', 'UNBANNED', 'IGNORE'], { error: errors.invalid_value, default: 'PENDING' }),
}

function statusOf(hostnames: { status: string }[]) {
  const open = hostnames.filter(({ status }) => status === 'PENDING')
  if (open.length === hostnames.length) return 'PENDING'
  return open.length === 0 ? 'PROCESSED' : 'PARTIALLY_PROCESSED'
}

export const abuseReports = collection({
  name: 'abuse_report',
  table: 'abuse_reports',
  label: 'abuse report',
  path: '/abuse_reports',
  prefix: 'abrp',
  section: '10.21',
  only: ['create', 'get'],
  fields: {
    urls: value(urls, { required: errors.invalid_value, content: 'url' }),
    metadata: text(4096),
    hostnames: {
      ...groups(hostname),
      describe: 'One entry per host in urls',
      generated: ({ given }: Given<{ urls: string[] }>) =>
        [...new Set(given.urls.map(hostOf))].map(each => ({ hostname: each })),
    },
    status: derived(({ hostnames }: { hostnames: { status: string }[] }) => statusOf(hostnames), {
      shape: textShape({ enum: ['PENDING', 'PROCESSED', 'PARTIALLY_PROCESSED'] }),
      describe: 'PENDING if all hostnames are, PROCESSED if none is',
    }),
  },
})
