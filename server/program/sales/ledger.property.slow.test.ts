process.env.RUNS ??= '200'
await import('./ledger.property.test.ts')
