import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { getWithFetch, walk } from './walk.js'

// A program with Node's own fetch, or the same in a worker.
const found = await walk(isMainThread ? process.argv[2] : workerData, getWithFetch)
if (isMainThread) console.log(JSON.stringify(found))
else parentPort.postMessage(found)
