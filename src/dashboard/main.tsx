import { render } from 'preact'
import { App } from './app.tsx'
import { startLive } from './state/live.ts'
import { startWorld } from './state/world.ts'

startLive()
startWorld()
render(<App />, document.getElementById('page')!)
