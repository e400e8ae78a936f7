export type { SimulatorOptions } from './options.ts'
export { startSimulator } from './simulator.ts'
