import type { App } from '../http/route.ts'

export function clickRoutes(_app: App) {}
