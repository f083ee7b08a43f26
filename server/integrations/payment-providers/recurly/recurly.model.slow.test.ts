process.env.RUNS ??= '60'
await import('./recurly.model.test.ts')
