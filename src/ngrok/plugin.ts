import type { Plugin, PluginContext } from '../engine/plugin.ts'
import { EdgeListeners } from './edges/edge-listeners.ts'
import { EventSender } from './events/sender.ts'

/** Listens for edges, and delivers events. */
export async function plugin(context: PluginContext): Promise<Plugin> {
  const edges = new EdgeListeners(context)
  const sender = new EventSender(await postTo(context.options), context.onDefect)
  return {
    open: () => edges.open(),
    onEvent: (event, live) => edges.onEvent(event, live),
    onDrop: sandbox => edges.onDrop(sandbox),
    settled: sandbox => edges.settled(sandbox),
    publish: sender.publish,
    isUsing: sandbox => edges.isUsing(sandbox),
    listeners: sandbox => edges.listeners(sandbox),
    get certificate() {
      return edges.certificate
    },
    traffic: () => edges.traffic(),
    async close() {
      sender.close()
      await edges.close()
    },
  }
}

async function postTo({ deliverTo, allowUpstream }: PluginContext['options']) {
  if (deliverTo === undefined) return undefined
  const { openTarget } = await import('./events/target.ts')
  return openTarget(deliverTo, allowUpstream)
}
