import type { App } from '../http/route.ts'

export function paymentProviderRoutes(_app: App) {}
