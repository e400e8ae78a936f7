/** A stored record, in the words of the wire. Never changed in place. */
export type Row = Readonly<{ id: string; created_at?: string } & Record<string, unknown>>
