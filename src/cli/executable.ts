import * as sea from 'node:sea'
import { setDistribution } from '../engine/files/package.ts'
import { main } from './main.ts'

// Entry point of the executable, one file with Node, this code and the package's files. It is built with Node 24.8 or
// newer, which has `getAssetKeys`.
const { getAsset, getAssetKeys } = sea as typeof sea & { getAssetKeys(): string[] }

setDistribution({
  command: 'edgesim',
  list: folder =>
    getAssetKeys()
      .filter(path => path.startsWith(`${folder}/`) && !path.includes('/', folder.length + 1))
      .map(path => path.slice(folder.length + 1)),
  read: path => Buffer.from(getAsset(path)),
  pathOf: () => undefined,
})

main(process.argv.slice(2), process.env).then(code => process.exit(code))
