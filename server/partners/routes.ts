import type { App } from '../http/route.ts'

export function partnerRoutes(_app: App) {}
