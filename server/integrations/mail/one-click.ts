import type { FastifyReply, FastifyRequest } from 'fastify'
import { transaction } from '../../platform/database/pool.ts'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { App } from '../../program/access/route.ts'
import { changeSubscription, choiceIn } from './unsubscribe.ts'

/** Limit per network: mail providers send many people's requests from few networks. */
const LIMIT: NamedLimit = { name: 'unsubscribe', perMinute: 300, by: 'network' }
const MAX_BYTES = 10_000

type Request = FastifyRequest<{ Params: { token: string } }>

/**
 * `POST /mail/unsubscribe/{token}` (RFC 8058): sent by a mail program when its reader presses 'Unsubscribe'. The
 * address is sufficient, so any body is ignored. A GET shows a screen and changes nothing: malware scanners open every
 * link in a mail.
 */
export function oneClickRoute({ fastify, services, limits }: App) {
  fastify.register(async (corner) => {
    corner.removeAllContentTypeParsers()
    corner.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, undefined))
    corner.post('/mail/unsubscribe/:token', {
      bodyLimit: MAX_BYTES,
      config: { policy: 'public', limit: LIMIT },
      handler: async (request: Request, reply: FastifyReply) => {
        try {
          const choice = choiceIn(services.secrets, request.params.token)
          await transaction(services.db, (tx) => changeSubscription(tx, choice, false))
        } catch (error) {
          if (error instanceof Refusal) limits.check(reply, UNKNOWN, request.ip)
          throw error
        }
        return reply.type('text/plain; charset=utf-8').send('You will no longer receive these emails.\n')
      },
    })
  })
}
