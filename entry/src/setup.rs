//! The options of an engine with what their files hold, each read once.

use std::path::Path;
use std::sync::Arc;

use engine_core::Settings;
use engine_core::convolution::Network;
use engine_core::learned::Weights;
use game::Searched;
use serde_json::Value;

use crate::book::{Book, OpenBook, lookup};
use crate::files::{FileOption, WORDS};
use crate::options::Options;
use crate::weights::Purpose;
use crate::{networks, parameters, weights};

/// Options, and what the files that they name held when they were set. What happens to the files
/// afterwards changes nothing.
#[derive(Clone)]
pub struct Setup {
    /// The options. Those that name files are changed by [`Setup::with`] alone.
    pub options: Options,
    /// In the order of [`FileOption::ALL`].
    held: [Option<Held>; FileOption::ALL.len()],
}

/// What a file holds.
#[derive(Clone)]
enum Held {
    Weights(Purpose, Arc<Weights>),
    Network(Arc<Network>),
    Book(Arc<Book>),
}

impl Setup {
    /// Reads the files that the options name, for their variant.
    ///
    /// # Errors
    /// A file cannot be used: its option, and the file with the reason.
    pub fn new<G: Searched>(options: Options) -> Result<Setup, (FileOption, String)> {
        let empty = Setup {
            options: Options::default(),
            held: Default::default(),
        };
        empty.with::<G>(options)
    }

    /// The same with other options. Only the files of changed options are read.
    ///
    /// # Errors
    /// As for [`Setup::new`].
    pub fn with<G: Searched>(&self, options: Options) -> Result<Setup, (FileOption, String)> {
        let mut held = self.held.clone();
        for (option, held) in FileOption::ALL.into_iter().zip(&mut held) {
            let value = options.file(option);
            if value != self.options.file(option) {
                let read = Held::read::<G>(option, value, &options.variant);
                *held = read.map_err(|message| (option, message))?;
            }
        }
        Ok(Setup { options, held })
    }

    /// Whether the files can be used for another variant of `G`.
    pub(crate) fn fits<G: Searched>(&self, variant: &Value) -> bool {
        self.named().all(|(option, held)| {
            let file = self.options.file(option);
            held.fits::<G>(file, variant).is_ok()
        })
    }

    /// The settings with what the files hold, for games like `start`.
    ///
    /// # Errors
    /// A parameter is not one of the game, or a file does not fit its variant: the option and the
    /// reason.
    pub fn settings<G: Searched>(&self, start: &G) -> Result<Settings, String> {
        let mut settings = parameters::settings::<G>(&self.options.parameters)?;
        let [_, none] = WORDS;
        for (option, held) in FileOption::ALL.into_iter().zip(&self.held) {
            let value = self.options.file(option);
            if let Some(held) = held {
                let fits = held.fits_start(value, start);
                fits.map_err(|message| format!("{}: {message}", option.name()))?;
            }
            match (option, held) {
                (_, Some(Held::Weights(purpose, weights))) => {
                    *purpose.of(&mut settings) = Some(weights.clone());
                }
                (_, Some(Held::Network(network))) => settings.network = Some(network.clone()),
                (FileOption::Weights(purpose), None) if value == none => {
                    *purpose.of(&mut settings) = None;
                }
                (FileOption::Network, None) if value == none => settings.network = None,
                _ => {}
            }
        }
        Ok(settings)
    }

    /// The book that the options name; `None` if they name none, or the shipped one and it is not for
    /// them.
    ///
    /// # Errors
    /// As for [`OpenBook::new`].
    pub(crate) fn book<G: Searched>(&self) -> Result<Option<OpenBook<G>>, String> {
        let options = &self.options;
        let [shipped, _] = WORDS;
        let held = self.named().find_map(|(_, held)| match held {
            Held::Book(book) => Some(book),
            _ => None,
        });
        match held {
            Some(book) => OpenBook::new(&options.book, book.clone(), &options.variant)
                .map(Some)
                .map_err(|error| format!("book: {error}")),
            None if options.book == shipped && options.plays_best::<G>() => {
                Ok(OpenBook::shipped(&options.variant))
            }
            None => Ok(None),
        }
    }

    /// The options that name files, with what these hold.
    fn named(&self) -> impl Iterator<Item = (FileOption, &Held)> {
        let all = FileOption::ALL.into_iter().zip(&self.held);
        all.filter_map(|(option, held)| Some((option, held.as_ref()?)))
    }
}

impl FileOption {
    /// Checks that a value can be used in a variant of `G`.
    ///
    /// # Errors
    /// The game does not support the variant, or the file cannot be used for it; the message names
    /// the file.
    pub fn check<G: Searched>(self, value: &str, variant: &Value) -> Result<(), String> {
        Held::read::<G>(self, value, variant).map(drop)
    }
}

impl Held {
    /// What a value names: `None` for a word. A file must fit the variant.
    fn read<G: Searched>(
        option: FileOption,
        value: &str,
        variant: &Value,
    ) -> Result<Option<Held>, String> {
        let Some(file) = option.file(value) else {
            return Ok(None);
        };
        let held = match option {
            FileOption::Weights(purpose) => weights::load::<G>(file, purpose)
                .map(|weights| Held::Weights(purpose, Arc::new(weights)))
                .map_err(|error| format!("{file}: {error}"))?,
            FileOption::Network => networks::load::<G>(file)
                .map(|network| Held::Network(Arc::new(network)))
                .map_err(|error| format!("{file}: {error}"))?,
            FileOption::Book => Book::load(Path::new(file))
                .map(|book| Held::Book(Arc::new(book)))
                .map_err(|error| error.to_string())?,
        };
        held.fits::<G>(file, variant)?;
        Ok(Some(held))
    }

    /// Checks that what a file holds fits a variant of `G`.
    fn fits<G: Searched>(&self, file: &str, variant: &Value) -> Result<(), String> {
        match self {
            Held::Book(book) => {
                let start = lookup::start::<G>(file, book, variant);
                start.map(drop).map_err(|error| error.to_string())
            }
            _ => {
                let start = game::start(variant).map_err(|error| error.to_string())?;
                self.fits_start::<G>(file, &start)
            }
        }
    }

    /// Checks that weights or a network fit games like `start`.
    fn fits_start<G: Searched>(&self, file: &str, start: &G) -> Result<(), String> {
        let fits = match self {
            Held::Weights(purpose, weights) => {
                weights::fits(weights, *purpose, start).map_err(|error| error.to_string())
            }
            Held::Network(_) => networks::fits(start).map_err(|error| error.to_string()),
            Held::Book(_) => Ok(()),
        };
        fits.map_err(|message| format!("{file}: {message}"))
    }
}
