import type { FaultKind } from '../fault.ts'
import { error } from './error.ts'
import { garbage } from './garbage.ts'
import { hang } from './hang.ts'
import { lostReply } from './lost-reply.ts'
import { reset } from './reset.ts'
import { slowBody } from './slow-body.ts'
import { staleReads } from './stale-reads.ts'
import { truncate } from './truncate.ts'

export const faultKinds: FaultKind[] = [error, reset, lostReply, hang, truncate, garbage, slowBody, staleReads]
