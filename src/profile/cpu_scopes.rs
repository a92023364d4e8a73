//! Scopes of the processor: opened by name through puffin, read back from its streams.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

use puffin::{
    FrameData, GlobalProfiler, NanoSecond, ProfilerScope, Reader, ScopeCollection, ScopeDetails,
    ScopeId, Stream, ThreadInfo,
};

use super::CpuScope;
use crate::platform::lock;

/// Times the processor on this thread until it is dropped, under a name that is only known at run time.
/// Without a profiler it returns `None`, for the cost of a load.
pub(super) fn open(label: &str) -> Option<ProfilerScope> {
    puffin::are_scopes_on().then(|| ProfilerScope::new(with_label(label, |known| known.id), ""))
}

/// Returns `label` without another allocation for a known one.
pub(super) fn label(label: &str) -> Arc<str> {
    with_label(label, |known| Arc::clone(&known.name))
}

/// A name given at run time, and puffin's number of its scopes.
#[derive(Clone)]
struct Label {
    id: ScopeId,
    name: Arc<str>,
}

fn with_label<R>(label: &str, read: impl FnOnce(&Label) -> R) -> R {
    thread_local! {
        // The few labels of a program, so that a frame takes no lock for them.
        static KNOWN: RefCell<HashMap<Arc<str>, Label>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| match known.get(label) {
        Some(label) => read(label),
        None => {
            let label = Names::lock().register(label);
            read(known.entry(Arc::clone(&label.name)).or_insert(label))
        }
    })
}

/// The names of puffin's scopes, and their places in the source. Scopes are introduced only once, however
/// many profilers a program has had.
#[derive(Default)]
pub(super) struct Names {
    details: ScopeCollection,
    /// By number: puffin counts from 1.
    names: Vec<Option<Arc<str>>>,
    labels: HashMap<Arc<str>, Label>,
}

impl Names {
    pub(super) fn lock() -> MutexGuard<'static, Self> {
        static NAMES: LazyLock<Mutex<Names>> = LazyLock::new(Mutex::default);
        lock(&NAMES)
    }

    fn register(&mut self, label: &str) -> Label {
        if let Some(label) = self.labels.get(label) {
            return label.clone();
        }
        let name: Arc<str> = label.into();
        let details = ScopeDetails::from_scope_name(label.to_owned());
        let id = GlobalProfiler::lock().register_user_scopes(&[details])[0];
        self.keep(id, &name);
        let label = Label { id, name };
        self.labels.insert(Arc::clone(&label.name), label.clone());
        label
    }

    /// Stores the scopes that `frame` introduces.
    fn learn(&mut self, frame: &FrameData) {
        for details in &frame.scope_delta {
            self.details.insert(Arc::clone(details));
        }
    }

    fn name(&mut self, id: ScopeId) -> Option<Arc<str>> {
        if let Some(Some(name)) = self.names.get(id.0.get() as usize) {
            return Some(Arc::clone(name));
        }
        let name: Arc<str> = self.details.fetch_by_id(&id)?.name().as_ref().into();
        self.keep(id, &name);
        Some(name)
    }

    fn keep(&mut self, id: ScopeId, name: &Arc<str>) {
        let place = id.0.get() as usize;
        self.names.resize(self.names.len().max(place + 1), None);
        self.names[place] = Some(Arc::clone(name));
    }

    /// Name and place of a scope, for another [`GlobalProfiler`] to number.
    pub(super) fn details(&self, name: &str) -> ScopeDetails {
        let plain = ScopeDetails::from_scope_name(name.to_owned());
        let known = self.details.fetch_by_name(name).and_then(|id| self.details.fetch_by_id(id));
        match known {
            Some(known) => plain
                .with_function_name(known.function_name.clone())
                .with_file(known.file_path.clone())
                .with_line_nr(known.line_nr),
            None => plain,
        }
    }
}

#[derive(Default)]
pub(super) struct StreamReader {
    threads: BTreeMap<ThreadInfo, Arc<str>>,
}

impl StreamReader {
    /// The scopes of `frame`, thread by thread, this one first, with times from `begin_ns`.
    pub(super) fn read(&mut self, frame: &FrameData, begin_ns: NanoSecond) -> Vec<CpuScope> {
        let mut names = Names::lock();
        names.learn(frame);
        let Ok(unpacked) = frame.unpacked() else { return Vec::new() };
        let mut reading = Reading {
            names: &mut names,
            begin_ns,
            scopes: Vec::with_capacity(frame.meta().num_scopes),
            knows_all: true,
        };
        let this = std::thread::current();
        let is_own = |info: &ThreadInfo| info.name == this.name().unwrap_or_default();
        let streams = &unpacked.thread_streams;
        let own = streams.iter().filter(|(info, _)| is_own(info));
        for (info, stream) in own.chain(streams.iter().filter(|(info, _)| !is_own(info))) {
            let thread = self.thread(info);
            reading.read(&stream.stream, 0, &thread, 0);
        }
        let Reading { scopes, knows_all, .. } = reading;
        drop(names);
        if !knows_all {
            // Some names are unknown, since puffin drops those that a frame without scopes introduces.
            GlobalProfiler::lock().emit_scope_snapshot();
        }
        scopes
    }

    fn thread(&mut self, info: &ThreadInfo) -> Arc<str> {
        if let Some(name) = self.threads.get(info) {
            return Arc::clone(name);
        }
        let plain = if info.name.is_empty() { "unnamed thread" } else { &info.name };
        let is_free = |name: &str| self.threads.values().all(|known| **known != *name);
        let name: Arc<str> = if is_free(plain) {
            plain.into()
        } else {
            let mut numbered = (2..).map(|number| format!("{plain} {number}"));
            numbered.find(|name| is_free(name)).expect("numbers do not end").into()
        };
        self.threads.insert(info.clone(), Arc::clone(&name));
        name
    }
}

struct Reading<'a> {
    names: &'a mut Names,
    begin_ns: NanoSecond,
    scopes: Vec<CpuScope>,
    knows_all: bool,
}

impl Reading<'_> {
    fn read(&mut self, stream: &Stream, offset: u64, thread: &Arc<str>, depth: u32) {
        let Ok(reader) = Reader::with_offset(stream, offset) else { return };
        for scope in reader.map_while(Result::ok) {
            let name = self.names.name(scope.id).unwrap_or_else(|| {
                self.knows_all = false;
                "?".into()
            });
            self.scopes.push(CpuScope {
                name,
                thread: Arc::clone(thread),
                start_ns: scope.record.start_ns - self.begin_ns,
                end_ns: scope.record.stop_ns() - self.begin_ns,
                depth,
            });
            self.read(stream, scope.child_begin_position, thread, depth + 1);
        }
    }
}
