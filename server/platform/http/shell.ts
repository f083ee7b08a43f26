import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Services } from '../services.ts'
import type { Limits } from './limits.ts'

/** The HTTP side under construction, with which every route is registered. */
export type Shell = {
  fastify: FastifyInstance
  services: Services
  limits: Limits
  /** The calls of the contract registered so far. */
  endpoints: Endpoint[]
}
