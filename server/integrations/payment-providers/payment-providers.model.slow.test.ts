process.env.RUNS ??= '24'
await import('./payment-providers.model.test.ts')
