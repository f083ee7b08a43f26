import type { App } from '../http/route.ts'

export function statsRoutes(_app: App) {}
