import type { App } from '../http/route.ts'

export function leadRoutes(_app: App) {}
