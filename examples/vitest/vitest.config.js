import { defineConfig } from 'vitest/config'

// vitest also looks in the folders above: without a configuration here, it would take the one of this repository.
export default defineConfig({})
