import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { getWithFetch, walk } from './walk.js'

// Reads keys with Node's fetch, or with fetch in a worker.
const found = await walk(isMainThread ? process.argv[2] : workerData, getWithFetch)
if (isMainThread) console.log(JSON.stringify(found))
else parentPort.postMessage(found)
