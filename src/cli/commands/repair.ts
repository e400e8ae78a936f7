import { hasCode } from '../../contract/simulator-error.ts'
import { repair } from '../../store/repair.ts'

/** Recovers what is readable of a database file, and prints what was lost. */
export async function repairFile(file: string): Promise<number> {
  try {
    const { backups, kept, lost } = await repair(file)
    for (const backup of backups) console.log(`copied aside: ${backup}`)
    for (const line of lost) console.log(`lost: ${line}`)
    const counts = Object.entries(kept).filter(([, count]) => count > 0)
    console.log(
      `${file}: ${lost.length === 0 ? 'nothing was wrong' : 'repaired'} (${counts.map(([table, count]) => `${count} ${table}`).join(', ')})`,
    )
    return 0
  } catch (error) {
    if (!hasCode(error, 'DATABASE_DAMAGED', 'DATABASE_IN_USE', 'DATABASE_FOREIGN')) throw error
    console.error(`edgesim: ${error.message}`)
    return 1
  }
}
