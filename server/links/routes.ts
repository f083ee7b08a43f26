import type { App } from '../http/route.ts'

export function linkRoutes(_app: App) {}
