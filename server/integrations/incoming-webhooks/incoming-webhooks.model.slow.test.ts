process.env.RUNS ??= '12'
await import('./incoming-webhooks.model.test.ts')
