import type { App } from '../http/route.ts'

export function authRoutes(_app: App) {}
