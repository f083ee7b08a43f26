process.env.RUNS ??= '5'
await import('./outgoing-webhooks.model.test.ts')
