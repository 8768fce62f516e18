/**
 * What a page's own main thread does, told apart from drawing: an init script for playwright that times every callback (listeners,
 * timers, messages, frames) and leaves out the frames that draw.
 */

/** Runs in the page before anything else; `window.pageTasks` is the list of durations, milliseconds. */
export function recordTasks() {
  const tasks = [];
  window.pageTasks = tasks;
  let depth = 0;
  let drew = false;
  const timed = (callback) => {
    if (typeof callback !== 'function') return callback;
    return function (...args) {
      const isOuter = depth++ === 0;
      const begin = performance.now();
      if (isOuter) drew = false;
      try {
        return callback.apply(this, args);
      } finally {
        depth--;
        // For page-trace.mjs.
        if (isOuter && drew) performance.mark('clearance-drew');
        else if (isOuter) tasks.push(performance.now() - begin);
      }
    };
  };
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...args) {
      drew = true;
      return draw.apply(this, args);
    };
  }
  for (const name of ['requestAnimationFrame', 'setTimeout']) {
    const original = window[name].bind(window);
    window[name] = (callback, ...rest) => original(timed(callback), ...rest);
  }
  const wrapped = new WeakMap();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (typeof listener === 'function' && !wrapped.has(listener)) wrapped.set(listener, timed(listener));
    return addEventListener.call(this, type, wrapped.get(listener) ?? listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    return removeEventListener.call(this, type, wrapped.get(listener) ?? listener, options);
  };
  const { get, set } = Object.getOwnPropertyDescriptor(Worker.prototype, 'onmessage');
  Object.defineProperty(Worker.prototype, 'onmessage', {
    configurable: true,
    get,
    set(listener) {
      set.call(this, timed(listener));
    },
  });
}

/** Also before anything else: `window.plans` is what the page's planner said, one entry per first answer. */
export function recordPlans() {
  const plans = [];
  window.plans = plans;
  window.addEventListener('clearance-planned', ({ detail }) => plans.push(detail));
}

/** Also before anything else: `window.kernelMemories` are the memories of the kernels that the page's own thread runs. */
export function recordMemory() {
  const memories = new Set();
  window.kernelMemories = memories;
  const keep = (instance) => {
    for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value);
    return instance;
  };
  const { Instance, Memory } = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, args) => keep(new target(...args)),
  });
  WebAssembly.Memory = new Proxy(Memory, {
    construct(target, args) {
      const memory = new target(...args);
      memories.add(memory);
      return memory;
    },
  });
  // Vertex and index buffers and textures that are not deleted.
  const counts = { buffers: 0, textures: 0, programs: 0 };
  window.glCounts = counts;
  for (const [name, kind] of [
    ['Buffer', 'buffers'],
    ['Texture', 'textures'],
    ['Program', 'programs'],
  ]) {
    const own = WebGL2RenderingContext.prototype;
    const [create, remove] = [own[`create${name}`], own[`delete${name}`]];
    own[`create${name}`] = function () {
      counts[kind]++;
      return create.call(this);
    };
    own[`delete${name}`] = function (object) {
      if (object) counts[kind]--;
      return remove.call(this, object);
    };
  }
}

/** Also before anything else: `window.frameWork` is what each frame's callbacks took without their calls of WebGL, milliseconds. */
export function recordFrames() {
  const frames = [];
  window.frameWork = frames;
  let inGl = 0;
  const own = WebGL2RenderingContext.prototype;
  for (const name of Object.getOwnPropertyNames(own)) {
    const { value } = Object.getOwnPropertyDescriptor(own, name);
    if (typeof value !== 'function') continue;
    own[name] = function (...args) {
      const begin = performance.now();
      try {
        return value.apply(this, args);
      } finally {
        inGl += performance.now() - begin;
      }
    };
  }
  const request = window.requestAnimationFrame.bind(window);
  let last = Number.NaN;
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      const begin = performance.now();
      const before = inGl;
      callback(time);
      const work = performance.now() - begin - (inGl - before);
      if (time === last) frames[frames.length - 1] += work;
      else frames.push(work);
      last = time;
    });
}
