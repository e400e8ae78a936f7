import { render } from 'preact'
import { App } from './app.tsx'
import { SHELL_KEYS } from './keys.tsx'
import { startKeys } from './state/keys.ts'
import { startLive } from './state/live.ts'
import { startPolling } from './state/simulator.ts'

startLive()
startPolling()
startKeys(SHELL_KEYS)
render(<App />, document.getElementById('page')!)
