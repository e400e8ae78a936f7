import { collection, formatTime, reference, textShape, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { text } from '../texts.ts'

/** A session over SSH has no agent to restart or update. */
const isSsh = ({ transport }: Record<string, unknown>) => transport === 'ssh'

export const tunnelSessions = collection({
  name: 'tunnel_session',
  table: 'tunnel_sessions',
  label: 'tunnel session',
  path: '/tunnel_sessions',
  prefix: 'ts',
  section: '10.18',
  listAs: 'tunnel_sessions',
  filterable: ['id', 'metadata', 'agent_version', 'ip', 'os', 'region', 'started_at', 'credential'],
  only: ['list', 'get'],
  createdAs: 'started_at',
  fields: {
    agent_version: value(textShape(), { default: '', content: 'plain' }),
    credential_id: reference(['credentials'], {
      missing: errors.bad_reference,
      shownAs: 'credential',
      unset: 'omit',
      whenDeleted: 'delete',
    }),
    ip: value(textShape(), { default: '', content: 'address' }),
    metadata: text(4096),
    os: value(textShape(), { default: '', content: 'plain' }),
    region: value(textShape(), { default: 'us', content: 'plain' }),
    transport: value(textShape({ examples: ['ngrok/2', 'ssh'] }), { default: 'ngrok/2', content: 'plain' }),
  },
  actions: {
    restart: {
      method: 'POST',
      id: 'restart_tunnel_session',
      label: 'Restart',
      act(session, { fail, now }) {
        if (isSsh(session)) fail(errors.ssh_restart, { id: session.id })
        return { ...session, created_at: formatTime(now()) }
      },
    },
    stop: { method: 'POST', id: 'stop_tunnel_session', label: 'Stop', act: () => null },
    update: {
      method: 'POST',
      id: 'update_tunnel_session',
      label: 'Update the agent',
      act(session, { fail }) {
        if (isSsh(session)) fail(errors.ssh_update, { id: session.id })
        return session
      },
    },
  },
})
