process.env.RUNS ??= '6'
await import('./forecast-lives.test.ts')
