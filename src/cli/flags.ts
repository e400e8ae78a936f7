/** `maxSandboxes` is `--max-sandboxes` and `EDGESIM_MAX_SANDBOXES`. */
export const toFlag = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
export const toVariable = (name: string) => `EDGESIM_${toFlag(name).replaceAll('-', '_').toUpperCase()}`
