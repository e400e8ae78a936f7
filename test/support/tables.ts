import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The cases of a test, in a YAML file next to it. */
export const tableIn = <T>(test: string, file: string): T => parse(readFileSync(new URL(file, test), 'utf8'))
