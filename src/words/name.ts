/**
 * What sandboxes, snapshots, fixtures and scenarios may be called: names become parts of tokens, and of paths on disk.
 */
export const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
