import type { App } from '../http/route.ts'

export function payoutRoutes(_app: App) {}
