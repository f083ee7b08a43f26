process.env.RUNS ??= '560'
await import('./ledger.property.test.ts')
