import type { App } from '../http/route.ts'

export function saleRoutes(_app: App) {}
