const KEYS = 1000
const FIRST = Date.UTC(2025, 0, 1)
const HOUR = 3_600_000

/** The scenario `large-account`: so many keys that every list has to be read page by page. */
export function renderLargeAccount(): string {
  const keys = Array.from({ length: KEYS }, (_, i) => {
    const id = `ak_large_${String(i + 1).padStart(4, '0')}`
    const created_at = `${new Date(FIRST + i * HOUR).toISOString().slice(0, 19)}Z`
    return `{ "id": "${id}", "created_at": "${created_at}", "description": "Key ${i + 1} of ${KEYS}" }`
  })
  return `{
  "$schema": "./scenario.schema.json",
  "name": "large-account",
  "description": "1,000 keys beside those of the fixture: listing them takes 10 pages and more.",
  "state": {
    "api_keys": [
      ${keys.join(',\n      ')}
    ]
  }
}
`
}
