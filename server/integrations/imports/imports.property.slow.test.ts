process.env.RUNS ??= '12'
await import('./imports.property.test.ts')
