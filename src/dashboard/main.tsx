import { render } from 'preact'
import { App } from './app.tsx'
import { startLive } from './state/live.ts'
import { startWorld } from './state/simulator.ts'

startLive()
startWorld()
render(<App />, document.getElementById('page')!)
