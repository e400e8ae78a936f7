import { render } from 'preact'
import { App } from './app.tsx'
import { startLive } from './state/live.ts'
import { startPolling } from './state/simulator.ts'

startLive()
startPolling()
render(<App />, document.getElementById('page')!)
