process.env.RUNS ??= '40'
await import('./applications.model.test.ts')
