const KEY_COUNT = 1000
const FIRST_CREATED = Date.UTC(2025, 0, 1)
const HOUR_MS = 3_600_000

/** The scenario `large-account`, with enough keys for several list pages. */
export function renderLargeAccount(): string {
  const keys = Array.from({ length: KEY_COUNT }, (_, i) => {
    const id = `ak_large_${String(i + 1).padStart(4, '0')}`
    const created_at = `${new Date(FIRST_CREATED + i * HOUR_MS).toISOString().slice(0, 19)}Z`
    return `{ "id": "${id}", "created_at": "${created_at}", "description": "Key ${i + 1} of ${KEY_COUNT}" }`
  })
  return `{
  "$schema": "./scenario.schema.json",
  "name": "large-account",
  "description": "Adds 1,000 API keys, so listing all keys takes at least 10 pages.",
  "state": {
    "api_keys": [
      ${keys.join(',\n      ')}
    ]
  }
}
`
}
