process.env.RUNS ??= '2'
await import('./identity.property.test.ts')
