import { FileError } from '../files/document.ts'
import { readFixtureFile } from '../fixtures/index.ts'

/** Says of each file what is wrong with it, or that nothing is. */
export async function validate(files: string[]): Promise<number> {
  let exit = 0
  for (const file of files) {
    try {
      const { rows, notes } = await readFixtureFile(file, Date.now())
      const counts = Object.entries(rows).filter(([, list]) => list.length > 0)
      console.log(`${file}: fine (${counts.map(([table, list]) => `${list.length} ${table}`).join(', ')})`)
      for (const note of notes) console.log(`  ${note}`)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      console.error(error.message)
      exit = 2
    }
  }
  return exit
}
