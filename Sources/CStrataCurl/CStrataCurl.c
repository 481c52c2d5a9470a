#include "CStrataCurl.h"
