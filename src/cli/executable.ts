import * as sea from 'node:sea'
import { setDistribution } from '../files/package.ts'
import { main } from './main.ts'

// The entry of the executable: one file with Node, this program and what the package has in files. `getAssetKeys` is
// known since Node 24.8, with which it is built.
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
