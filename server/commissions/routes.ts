import type { App } from '../http/route.ts'

export function commissionRoutes(_app: App) {}
