/** On every answer: which simulator gave it, where several stand behind one address. */
export const INSTANCE_HEADER = 'Edgesim-Instance'
