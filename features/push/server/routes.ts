import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PushResults } from '#contract/push.ts'
import { newId } from '#server/platform/database/ids.ts'
import { tokenHash } from '#server/platform/database/secrets.ts'
import { type App, route } from '#server/program/access/route.ts'
import { routeCsv } from '#server/program/access/route-csv.ts'
import * as contract from '../contract.ts'
import { listRequests } from './queries.ts'
import { createRequestLog } from './request-log.ts'

export function pushRoutes(app: App) {
  const { fastify, services } = app
  const log = createRequestLog(services)
  fastify.addHook('onClose', () => log.close())

  app.onPushAnswer.push((request, reply, payload) => {
    const keyHash = keyOf(request)
    if (keyHash && reply.statusCode !== 401)
      log.note({ ...outcomeOf(request, reply, payload), id: newId(), keyHash, at: services.clock.now() })
  })

  route(app, contract.listPushRequests, ({ db, access, query }) => listRequests(db, access.account.id, query))

  routeCsv(app, contract.downloadPushRequests, ({ db, access }, query) => listRequests(db, access.account.id, query))
}

function keyOf({ headers }: FastifyRequest) {
  const token = /^Bearer ([\x21-\x7e]{1,512})$/.exec(headers.authorization ?? '')?.[1]
  return token && tokenHash(token).toString('base64')
}

type Refused = { error?: { code: string; message: string } }

/** Returns the result of a request: the reason of its refusal, or for a list the number of refused rows. */
function outcomeOf({ routeOptions, body }: FastifyRequest, { statusCode: status }: FastifyReply, payload: unknown) {
  const path = (routeOptions.url ?? '').replace('/api/v1', '')
  const refused = status >= 400
  const replyBody = refused || Array.isArray(body) ? JSON.parse(String(payload)) : undefined
  const error = refused ? (replyBody as Refused).error : undefined
  const results = refused ? undefined : (replyBody as PushResults | undefined)?.results
  return {
    path,
    status,
    errorCode: error?.code ?? null,
    errorMessage: error ? storable(error.message) : null,
    rows: results?.length ?? null,
    failedRows: results?.filter((row) => row.status >= 400).length ?? null,
  }
}

/** Makes a message storable; it may quote input that PostgreSQL rejects. */
const storable = (message: string) => message.replaceAll('\u0000', '').slice(0, 500).toWellFormed()
