import { useEffect, useRef, useState } from 'preact/hooks'
import { type RequestError, toRequestError } from '../wire/request-error.ts'

export interface Remote<T> {
  data: T | undefined
  error: RequestError | undefined
  reload(): void
}

/** Loads data over HTTP, and again when `version` changes. Keeps the old data until then, and next to an error. */
export function useRemote<T>(key: string, version: unknown, load: (signal: AbortSignal) => Promise<T>): Remote<T> {
  const [got, setGot] = useState<{ key: string; data?: T; error?: RequestError }>({ key })
  const [turn, setTurn] = useState(0)
  const newest = useRef(load)
  newest.current = load
  useEffect(() => {
    const ending = new AbortController()
    newest.current(ending.signal).then(
      data => ending.signal.aborted || setGot({ key, data }),
      error =>
        ending.signal.aborted ||
        setGot(({ key: of, data }) => ({ key, data: of === key ? data : undefined, error: toRequestError(error) })),
    )
    return () => ending.abort()
  }, [key, version, turn])
  const current = got.key === key ? got : undefined
  return { data: current?.data, error: current?.error, reload: () => setTurn(turn => turn + 1) }
}
